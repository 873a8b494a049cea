/// The reason why a server cannot start, with its remedy.
package struct ServerStartError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
