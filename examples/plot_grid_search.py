"""
What goes with the results of a school district, and how many directions are enough?
====================================================================================

303 school districts of California: the share of pupils above the national median in mathematics,
and what is known of the pupils, the teachers and the money. How many directions serve a
prediction best, and with how many neighbours? ``GridSearchCV`` answers that as it does for any
step of a pipeline: the reduction is fitted anew in every fold, so the score is of rows that
neither the directions nor the neighbours have seen.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.datasets import star98

from hsiclearn import SupervisedHSIC
from hsiclearn.plotting import LoadingsDisplay, ProjectionDisplay

NAMES = {
    "LOWINC": "low income",
    "PERASIAN": "Asian",
    "PERBLACK": "Black",
    "PERHISP": "Hispanic",
    "PERMINTE": "minority teachers",
    "AVYRSEXP": "years of experience",
    "AVSALK": "salary",
    "PERSPENK": "spending per pupil",
    "PTRATIO": "pupils per teacher",
    "PCTAF": "preparing for college",
    "PCTCHRT": "charter schools",
    "PCTYRRND": "year-round schools",
}
districts = star98.load_pandas().data
X = districts[list(NAMES)].rename(columns=NAMES)
y = districts["NABOVE"] / (districts["NABOVE"] + districts["NBELOW"])
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)

# %%
# A step's parameters are searched under its name, with two underscores.

pipeline = Pipeline(
    [
        ("scale", StandardScaler()),
        ("reduce", SupervisedHSIC()),
        ("predict", KNeighborsRegressor()),
    ]
)
grid = {"reduce__n_components": [1, 2, 3], "predict__n_neighbors": [5, 15, 30]}
search = GridSearchCV(pipeline, grid, cv=3).fit(X_train, y_train)
scores = pd.DataFrame(search.cv_results_).pivot(
    index="param_reduce__n_components",
    columns="param_predict__n_neighbors",
    values="mean_test_score",
)
print(scores.rename_axis(index="directions", columns="neighbours").round(3))

# %%
# On the districts kept apart from all of this, beside the same neighbours on all columns:

best = search.best_estimator_
k = best["predict"].n_neighbors
everything = Pipeline([("scale", StandardScaler()), ("predict", KNeighborsRegressor(k))])
print(f"{best['reduce'].n_components} directions: R^2 {best.score(X_test, y_test):.3f}")
print(f"all columns:  R^2 {everything.fit(X_train, y_train).score(X_test, y_test):.3f}")

# %%
# The first direction, on districts not seen, and what it is made of.

first = Pipeline([("scale", StandardScaler()), ("reduce", SupervisedHSIC(n_components=1))])
first.fit(X_train, y_train)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
ProjectionDisplay.from_estimator(first, X_test, y_test, ax=left)
left.set(title="Districts held out", xlabel="the direction", ylabel="share above the median")
LoadingsDisplay.from_estimator(first, X_train, ax=right)
right.set_title("What the direction is made of")
