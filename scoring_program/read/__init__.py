"""Reading: which file is whose (`layout`), what lies in folders and archives (`files`), rows (`tables`)."""
