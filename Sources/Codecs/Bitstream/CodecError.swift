/// A parameter set or configuration record that cannot be used, and why. Operators see it, so it names the structure
/// at fault.
package struct CodecError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        /// The bytes end before the structure does.
        case truncated
        /// A field has a value that its specification forbids.
        case invalid
        /// The value is legal, but Antena does not support it.
        case unsupported
    }

    package var code: Code
    /// The specification's name for the structure, such as "sequence parameter set" or "AudioSpecificConfig".
    package var structure: String
    /// The reason; the description prints it after the structure's name.
    package var reason: String

    package init(_ code: Code, in structure: String, _ reason: String) {
        self.code = code
        self.structure = structure
        self.reason = reason
    }

    package var description: String { "\(structure): \(reason)" }
}
