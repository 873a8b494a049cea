/// A step of a delivery, which the server answers with one reply.
package enum SMTPStep: String, Sendable, Hashable {
    case connection
    case greeting
    case hello = "EHLO"
    case startTLS = "STARTTLS"
    case authentication = "AUTH"
    case sender = "MAIL"
    case recipient = "RCPT"
    case data = "DATA"
    /// The bytes of the mail.
    case message
    case quit = "QUIT"
}
