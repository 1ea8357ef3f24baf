"""Settings of the site: `make docs` writes it to out/site, without a network."""

from importlib.metadata import version as version_of

project = "Platterlab"
copyright = "the Platterlab contributors"  # noqa: A001
version = release = version_of("platterlab")

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# The tree is the source, so that the pages of its root can be linked to as they are.
root_doc = "docs/index"
include_patterns = ["docs/**", "*.md"]
# What is built beside it is not even walked through.
exclude_patterns = [".*", "out", "target"]
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
html_theme = "furo"
html_title = f"Platterlab {version}"
html_static_path = ["site"]
html_extra_path = ["site/root"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {"top_of_page_buttons": []}

# Notebooks run each time, on what is installed here; one that fails ends the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
# Anchors of headings, as GitHub makes them.
myst_heading_anchors = 4
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
