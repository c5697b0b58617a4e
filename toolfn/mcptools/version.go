package mcptools

// Version is what this client tells servers of itself.
const Version = "0.1.0"
