"""Casino War, exactly as five authorities regulate it."""
