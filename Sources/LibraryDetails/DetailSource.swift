/// The source of a value. The raw values are the names in the API.
package enum DetailSource: String, Sendable, Hashable, CaseIterable {
    /// An operator has chosen it.
    case `operator`
    /// The notes beside the file say so (`.nfo`).
    case notes = "nfo"
    /// The file's tags, its name or its folders say so.
    case file
}
