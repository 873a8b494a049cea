/// An address, a header or a text that cannot be part of a mail.
package struct MailFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence without a full stop, which does not repeat the text of the mail.
    package var reason: String

    init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
