"""Pages as they look with their blocks marked: to see why a block was kept, and to teach what should have been."""
