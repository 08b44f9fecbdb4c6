"""Products: folders of files that a release has in addition to its tables.

An asset writes `Workspace.product(name)` whole, with `warehouse.files.replacing_folder`, so that
links to the files of the last run stay valid; the release includes the folder under the same name.
To add one, write its asset, name the asset's key and folder here, and list the asset in
`pipelines.build`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """`asset` writes the folder `folder` of the release."""

    asset: str
    folder: str


PRODUCTS: tuple[Product, ...] = (
    Product("out_directory__access", "access"),
    Product("out_directory__bulk", "bulk"),
    Product("out_directory__changes", "changes"),
    Product("out_directory__service_files", "serving"),
    Product("out_hsds__package", "hsds"),
    Product("out_map__base", "map"),
    Product("out_veterans__files", "veterans"),
)

# Steps that write a file for each state, and their folders of tables.
FOLDERS_BY_STATE: dict[str, tuple[str, ...]] = {
    "_core_directory__match_facts": ("_core_directory__match_facts",),
    "_core_directory__match_pairs": (
        "_core_directory__match_pairs",
        "_core_directory__match_shared_values",
    ),
    "_core_directory__matches": ("_core_directory__clusters", "_core_directory__doubtful_pairs"),
}
