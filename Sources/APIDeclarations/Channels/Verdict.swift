package import APIContract

/// `Verdict` in the description.
package struct Verdict: NamedValue {
    package static let name = "Verdict"
    package static let traits: [SchemaTrait] = [.oneOf("kept", "below", "above")]

    package let content: String

    package init(_ content: String) { self.content = content }
}
