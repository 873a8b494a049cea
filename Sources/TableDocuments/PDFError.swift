/// The reason why a document cannot be made.
package struct PDFError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The libraries are not installed.
        case librariesMissing
        /// The document is larger than its limit.
        case tooLarge
        case failed
    }

    package var code: Code
    /// A sentence without a full stop.
    package var reason: String

    package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    package var description: String { reason }
}
