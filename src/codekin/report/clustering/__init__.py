"""What people and programs are shown of revisions in groups."""
