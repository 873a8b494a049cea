/// A parameter set that cannot be used, and why. Shown to operators, so it names the structure at fault.
package struct CodecError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The bytes end before the structure does.
        case truncated
        /// A field has a value that its specification forbids.
        case invalid
        /// Legal, but beyond what Antena handles.
        case unsupported
    }

    package var code: Code
    /// The specification's name of the structure: "sequence parameter set", "AudioSpecificConfig".
    package var structure: String
    package var reason: String

    package init(_ code: Code, in structure: String, _ reason: String) {
        self.code = code
        self.structure = structure
        self.reason = reason
    }

    package var description: String { "\(structure): \(reason)" }
}
