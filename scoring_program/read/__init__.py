"""Reading: what lies in folders and archives (`files`), whose it is (`layout`), rows (`tables`)."""
