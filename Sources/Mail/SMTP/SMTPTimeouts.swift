/// The time that each step of a delivery may take, and all of them, however slowly bytes arrive meanwhile.
///
/// They are shorter than those of RFC 5321 §4.5.3.2, because other mail waits: the server is the operator's own or that
/// of a provider, and a mail that took too long is tried again.
package struct SMTPTimeouts: Sendable, Hashable {
    /// The look-up of the name and the connection.
    package var connection = Duration.seconds(15)
    /// Each command.
    package var command = Duration.seconds(60)
    /// From the first byte of the mail to the reply; servers look for spam meanwhile.
    package var message = Duration.seconds(120)
    /// The farewell, after which the mail is delivered anyway.
    package var quit = Duration.seconds(3)
    /// All steps together, from the connection to the reply to the mail.
    package var total = Duration.seconds(240)

    package init() {}
}
