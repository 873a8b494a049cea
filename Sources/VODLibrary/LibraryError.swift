/// Something that the library cannot do, and why; for people.
package struct LibraryError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case noSuchFile
        /// Neither video nor audio by its name.
        case notMedia
        /// It is all that, but this file cannot be played.
        case unplayable
        /// A named limit is reached.
        case limitExceeded
        case storage
        /// Not in the state that things are in.
        case notPossible
    }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { reason }
}
