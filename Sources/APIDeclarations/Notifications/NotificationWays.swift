package import APIContract

/// `NotificationWays` in the description.
package struct NotificationWays: NamedValue {
    package static let name = "NotificationWays"
    package static let traits: [SchemaTrait] = [.maximumCount(100), .each(.oneOf("site", "mail", "push", "webhook"))]

    package let content: [String]

    package init(_ content: [String]) { self.content = content }
}
