extension String {
    /// The text with the same identifier in the place of each request's own, so that answers to two requests can be
    /// compared. Only identifiers in the form that the server makes are replaced.
    package var withSameRequestIdentifier: String {
        replacing(/"requestId":"[0-9a-f]{32}"/, with: "\"requestId\":\"-\"")
    }
}
