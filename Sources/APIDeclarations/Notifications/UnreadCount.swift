package import APIContract

/// `UnreadCount` in the description.
package struct UnreadCount: NamedValue {
    package static let name = "UnreadCount"
    package static let meaning: String? = "number of unread notifications, counted up to 100"
    package static let traits: [SchemaTrait] = [.minimum(0), .maximum(100)]

    package let content: Int

    package init(_ content: Int) { self.content = content }
}
