/// A key could not be read or stored; the description is for operators.
package struct TitleKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
