package import JSONDocument

/// `channels.json` as it is at the moment, without secrets.
package struct CurrentConfiguration: Sendable {
    package var document: JSONText
    /// A text that changes with every change of the file.
    package var version: String

    package init(document: JSONText, version: String) { (self.document, self.version) = (document, version) }

    /// The channel with that name; `nil` if there is none.
    package func channel(named name: String) -> JSONText? {
        guard case .array(let channels) = document["channels"] else { return nil }
        return channels.first { $0["name"] == .string(name) }
    }
}
