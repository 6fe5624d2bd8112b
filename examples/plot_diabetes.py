"""
What drives the progression of a disease?
=========================================

Ten measurements of 442 patients, and a number that says how far their diabetes had progressed a
year later. The target is real, so HSIC compares patients by how close their progressions are. One
direction is asked for: a score, a weighted sum of measurements, that tells as much as possible
about the progression, by whatever curve.

A weight is worth reading only if it would come out alike on other patients. So the fit is
repeated on rows drawn with replacement, and every weight gets a spread.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hsiclearn import SupervisedHSIC
from hsiclearn.inspection import bootstrap_stability, describe_components
from hsiclearn.plotting import LoadingsDisplay, ProjectionDisplay, StabilityDisplay

NAMES = {
    "bmi": "body mass",
    "bp": "blood pressure",
    "s1": "cholesterol",
    "s2": "LDL",
    "s3": "HDL",
    "s4": "cholesterol/HDL",
    "s5": "log triglycerides",
    "s6": "glucose",
}
X, y = load_diabetes(return_X_y=True, as_frame=True)
X = X.rename(columns=NAMES)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)

model = make_pipeline(StandardScaler(), SupervisedHSIC(n_components=1)).fit(X_train, y_train)
stability = bootstrap_stability(model, X_train, y_train, n_resamples=50)
print(describe_components(model, X_test, y_test))
print(f"the direction turns by {stability.typical_angle:.0f} degrees on resampled patients")

# %%
# Left: patients the model has not seen. Right: the weights, with their spread over resamples.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
ProjectionDisplay.from_estimator(model, X_test, y_test, ax=left)
left.set(title="Patients held out", xlabel="score", ylabel="progression after a year")
LoadingsDisplay.from_estimator(model, X_train, stability=stability, ax=right)
right.set_title("What the score is made of")

# %%
# The three weights with the widest spread, each beside the column it goes with most. Data do not
# tell how to divide a weight among columns that say nearly the same.

spread = stability.loading_spread[0]
for j in np.argsort(-spread)[:3]:
    others = X_train.corr().iloc[j].drop(X.columns[j])
    nearest = others.abs().idxmax()
    weight = f"{X.columns[j]:16} {model[-1].components_[0, j]:+.2f}, spread {spread[j]:.2f}"
    print(f"{weight}; correlation with {nearest}: {others[nearest]:+.2f}")

# %%
# All resamples at once:

figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
StabilityDisplay(stability, feature_names=list(X.columns)).plot(ax)
