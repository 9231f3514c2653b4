"""From views to formatted text: templates and formatters."""
