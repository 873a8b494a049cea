/// The `next` of a page.
package struct NextCursor: NamedValue {
    package static let name = "NextCursor"
    package static let meaning: String? = "The cursor of the next page; `null` on the last one."
    package static let traits: [SchemaTrait] = []

    package let content: String?

    package init(_ content: String?) { self.content = content }
}
