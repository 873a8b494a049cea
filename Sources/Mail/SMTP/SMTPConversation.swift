/// The delivery of one mail, as a value: each reply of the server leads to what to do next.
struct SMTPConversation {
    /// The next action.
    enum Action: Hashable {
        /// Send a command, and wait for the reply.
        case send(String)
        /// Send the bytes of the mail, and wait for the reply.
        case sendMail
        /// Encrypt the connection, then call ``SMTPConversation/didEncrypt()``.
        case encrypt
        /// The server has taken the mail and the connection can be closed.
        case finish
        case fail(SMTPError)
    }

    private enum State: Hashable {
        case greeting, hello, startTLS, plain, login, loginUsername, loginPassword, sender, recipient, data, message,
            quit
    }

    private let mail: OutgoingMail
    /// The name by which this machine introduces itself.
    private let helloName: String
    private let security: SMTPServerAddress.Security
    private let credential: SMTPCredential?
    /// The bytes of the mail with their end.
    let transmittedBytes: [UInt8]
    /// Whether nobody else sees what is sent to the server.
    private let isLocal: Bool
    private var isEncrypted: Bool
    private var state = State.greeting
    private var capabilities = SMTPCapabilities()

    /// - Parameters:
    ///   - mail: the mail.
    ///   - helloName: the name by which this machine introduces itself.
    ///   - security: how the connection has to be encrypted.
    ///   - credential: the username and the password; `nil` for a server that asks for none.
    ///   - isLocal: whether the connection ends on this machine.
    init(
        _ mail: OutgoingMail, helloName: String, security: SMTPServerAddress.Security, credential: SMTPCredential?,
        isLocal: Bool
    ) {
        (self.mail, self.helloName, self.security, self.credential) = (mail, helloName, security, credential)
        self.isLocal = isLocal
        isEncrypted = security == .implicitTLS
        transmittedBytes = mail.transmittedBytes
    }

    /// The step whose reply is awaited.
    var step: SMTPStep {
        switch state {
        case .greeting: .greeting
        case .hello: .hello
        case .startTLS: .startTLS
        case .plain, .login, .loginUsername, .loginPassword: .authentication
        case .sender: .sender
        case .recipient: .recipient
        case .data: .data
        case .message: .message
        case .quit: .quit
        }
    }

    /// Whether the server has taken the mail; whatever happens afterwards changes nothing.
    var isAccepted: Bool { state == .quit }

    /// Decides what follows a reply.
    mutating func received(_ reply: SMTPReply) -> Action {
        if state == .quit { return .finish }
        let isExpected: Bool =
            switch state {
            case .login, .loginUsername, .data: reply.category == 3
            default: reply.category == 2
            }
        guard isExpected else {
            let isRefusal = reply.category >= 4
            return .fail(
                SMTPError(isRefusal ? .refused : .malformedReply, step, status: isRefusal ? reply.status : nil))
        }
        switch state {
        case .greeting: return hello()
        case .hello:
            capabilities = SMTPCapabilities(reply)
            return afterHello()
        case .startTLS: return .encrypt
        case .plain, .loginPassword: return sender()
        case .login: return next(.loginUsername, credential?.loginUsername ?? "")
        case .loginUsername: return next(.loginPassword, credential?.loginPassword ?? "")
        case .sender: return next(.recipient, "RCPT TO:<\(mail.to.text)>")
        case .recipient: return next(.data, "DATA")
        case .data:
            state = .message
            return .sendMail
        case .message, .quit: return next(.quit, "QUIT")
        }
    }

    /// Continues after the start of encryption: the server's earlier answers are discarded (RFC 3207 §4.2).
    mutating func didEncrypt() -> Action {
        isEncrypted = true
        capabilities = SMTPCapabilities()
        return hello()
    }

    private mutating func next(_ state: State, _ command: String) -> Action {
        self.state = state
        return .send(command)
    }

    private mutating func hello() -> Action { next(.hello, "EHLO \(helloName)") }

    private mutating func afterHello() -> Action {
        if security == .startTLS, !isEncrypted {
            guard capabilities.offersStartTLS else { return .fail(SMTPError(.tlsNotOffered, .startTLS)) }
            return next(.startTLS, "STARTTLS")
        }
        guard let credential else { return sender() }
        guard isEncrypted || isLocal else { return .fail(SMTPError(.authenticationNotEncrypted, .authentication)) }
        if capabilities.mechanisms.contains("PLAIN") { return next(.plain, "AUTH PLAIN \(credential.plain)") }
        if capabilities.mechanisms.contains("LOGIN") { return next(.login, "AUTH LOGIN") }
        return .fail(SMTPError(.authenticationNotOffered, .authentication))
    }

    private mutating func sender() -> Action {
        if let limit = capabilities.maximumByteCount, mail.bytes.count > limit {
            return .fail(SMTPError(.messageTooLarge, .sender))
        }
        var command = "MAIL FROM:<\(mail.from.text)>"
        if capabilities.offersSize { command += " SIZE=\(mail.bytes.count)" }
        if mail.needsUTF8 {
            // RFC 6531 §3.1 asks for both.
            guard capabilities.offersUTF8, capabilities.offersEightBit else {
                return .fail(SMTPError(.addressNotSupported, .sender))
            }
            command += " BODY=8BITMIME SMTPUTF8"
        }
        return next(.sender, command)
    }
}
