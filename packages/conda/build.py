"""Builds the conda package of this checkout, and runs its tests; needs py-rattler-build and conda-forge. `build.py FOLDER`: where it goes;
`build.py --check`: reads the recipe as each platform does, and builds nothing."""

import sys
from pathlib import Path

from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe

recipe = Stage0Recipe.from_file(Path(__file__).with_name("recipe.yaml"))
if sys.argv[1] == "--check":
    for platform in ("linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64"):
        (variant,) = recipe.render(None, RenderConfig(platform=PlatformConfig(target_platform=platform)))
        package = variant.recipe.package
        print(f"{platform}: {package.name} {package.version}")
else:
    for result in recipe.run_build(output_dir=sys.argv[1], channels=["conda-forge"]):
        print(*result.packages)
