package import APIContract

/// `CopyState` in the description.
package struct CopyState: NamedValue {
    package static let name = "CopyState"
    package static let meaning: String? =
        "state of a copy on a device; in the answer to a member, on the device that has most"
    package static let traits: [SchemaTrait] = [.oneOf("none", "partial", "downloaded")]

    package let content: String

    package init(_ content: String) { self.content = content }
}
