"""
Which measurements tell three penguins apart, in a table of numbers, text and gaps?
===================================================================================

344 penguins: four measurements, the island they were met on, their sex, and cells that are empty.
A ``ColumnTransformer`` does for each kind of column what that kind needs, and the whole is one
pipeline, so that a new row is treated as the rows of the fit were. The command line does the same
without Python: ``hsiclearn fit penguins.csv --target species --impute``.
"""

import matplotlib.pyplot as plt
from palmerpenguins import load_penguins
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.inspection import describe_components
from hsiclearn.plotting import LoadingsDisplay, ProjectionDisplay

penguins = load_penguins()
y = penguins["species"]
numbers = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
texts = ["sex"]

# %%
# The island is left out: two of the three species live on one island each, so it would tell where
# a bird was met and not what it looks like. An empty cell of text is a category of its own; an
# empty number becomes the median.

encode = make_column_transformer(
    (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
    (
        make_pipeline(
            SimpleImputer(strategy="constant", fill_value="not known"),
            OneHotEncoder(drop="first", sparse_output=False),
        ),
        texts,
    ),
    verbose_feature_names_out=False,
)
model = make_pipeline(encode, SupervisedHSIC(n_components=2)).fit(penguins, y)
print(describe_components(model, penguins, y))
print(model[-1].selection_.in_words())

# %%
# Two birds were not measured at all, an Adelie and a Gentoo: they stand where the medians put them,
# in the middle, whatever they are. A filled gap is no measurement.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
ProjectionDisplay.from_estimator(model, penguins, y, ax=left)
left.set_title("344 penguins")
LoadingsDisplay.from_estimator(model, penguins, ax=right)
