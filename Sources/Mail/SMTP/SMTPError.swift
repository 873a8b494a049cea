/// A mail that was not delivered. What the server has said is left out but for its codes: servers repeat addresses and
/// links of the mail in their replies.
package struct SMTPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: String, Error, Sendable, Hashable {
        case connectionFailed
        case connectionLost
        case timedOut
        /// The handshake failed, or the certificate is not the server's.
        case tlsFailed
        /// The server does not offer STARTTLS, or somebody has removed the offer.
        case tlsNotOffered
        /// Bytes that were not asked for, such as commands that somebody has put in front of the handshake.
        case unexpectedBytes
        /// The reply is not one of RFC 5321 §4.2, or not one to the command.
        case malformedReply
        case replyTooLong
        /// The server has refused the step: ``SMTPError/status`` says how.
        case refused
        /// The server offers neither PLAIN nor LOGIN.
        case authenticationNotOffered
        /// The password would be sent unencrypted to another machine.
        case authenticationNotEncrypted
        /// The address needs SMTPUTF8, which the server does not offer.
        case addressNotSupported
        case messageTooLarge
    }

    package var code: Code
    package var step: SMTPStep
    /// The server's reply code (RFC 5321 §4.2) and enhanced status code (RFC 3463), such as `550 5.1.1`; `nil` if it
    /// has not refused anything.
    package var status: String?
    /// This machine's detail of the error, such as why a certificate is not accepted.
    package var detail: String?

    init(_ code: Code, _ step: SMTPStep, status: String? = nil, detail: String? = nil) {
        (self.code, self.step, self.status, self.detail) = (code, step, status, detail)
    }

    /// Whether the same mail may be accepted later: the connection failed, or the reply was 4yz (RFC 5321 §4.2.1).
    package var mayBeRetried: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .timedOut, .tlsFailed, .tlsNotOffered, .unexpectedBytes,
            .malformedReply, .replyTooLong:
            true
        case .refused: status?.hasPrefix("4") ?? false
        case .authenticationNotOffered, .authenticationNotEncrypted, .addressNotSupported, .messageTooLarge: false
        }
    }

    package var description: String {
        let reason =
            switch code {
            case .connectionFailed: "the mail server cannot be reached"
            case .connectionLost: "the mail server has closed the connection"
            case .timedOut: "the mail server does not answer"
            case .tlsFailed: "the connection to the mail server cannot be encrypted"
            case .tlsNotOffered: "the mail server does not offer STARTTLS"
            case .unexpectedBytes: "the mail server has sent unexpected bytes"
            case .malformedReply: "the reply of the mail server is not valid SMTP"
            case .replyTooLong: "the reply of the mail server is too long"
            case .refused: "the mail server has refused the mail"
            case .authenticationNotOffered: "the mail server accepts a password neither by PLAIN nor by LOGIN"
            case .authenticationNotEncrypted: "the password is not sent without encryption"
            case .addressNotSupported: "the mail server does not accept addresses beyond ASCII"
            case .messageTooLarge: "the mail is too large for the mail server"
            }
        return "\(reason) (\([step.rawValue, status, detail].compactMap(\.self).joined(separator: ", ")))"
    }
}
