import Accounts
import APIContract
import Crypto
import Database
import HTTPEndpoints
import Idempotency
import MediaAccess
import NIOPosix

/// Opens the accounts of a server that starts.
struct AccountsStart {
    let database: any SQLDatabase
    /// The folder that holds the key of what the accounts encrypt.
    let dataDirectory: String
    /// Computes password hashes; nothing else runs on it.
    let threads: NIOThreadPool

    private static let keyFile = SecretFile(
        name: "accounts-key", purpose: "key of the accounts",
        remedy: "restore it from a backup; without it, second factors have to be set up again, and links end")
    /// Separate the keys that are derived from the file.
    private static let sealingPurpose = "antena accounts sealing"
    private static let signingPurpose = "antena media signing"
    private static let providerPurpose = "antena provider sealing"
    private static let idempotencyPurpose = "antena idempotency"
    private static let webhookPurpose = "antena webhook sealing"
    private static let copyPurpose = "antena offline copies"
    private static let notificationPurpose = "antena notifications"
    private static let keyByteCount = 32

    /// What is opened.
    struct Opened {
        var accounts: Accounts
        var links: MediaLinks
        var idempotencyKeys: IdempotencyKeys
        /// Seals what browsers keep while their users log in with an identity provider.
        var providerKey: SymmetricKey
        /// Seals the secrets with which messages to webhooks are signed.
        var webhookKey: SymmetricKey
        /// What the keys of offline copies are derived from.
        var copyKey: SymmetricKey
        /// Signs the links that end mail, and is what the key for push services is derived from.
        var notificationKey: SymmetricKey
    }

    /// - Throws: ``ServerStartError``, `SQLError`
    func open(_ settings: AccountsSettings) async throws -> Opened {
        let (digits, _) = try Self.keyFile.load(orMakeIn: dataDirectory)
        let accounts = try await Accounts.open(
            database, program: Product.version, hasher: PasswordHasher(threads: threads), settings: settings,
            sealingKey: Self.key(Self.sealingPurpose, digits))
        let links = try await MediaLinks.open(
            database, program: Product.version, key: Self.key(Self.signingPurpose, digits))
        let idempotencyKeys = try await IdempotencyKeys.open(
            database, program: Product.version, key: Self.key(Self.idempotencyPurpose, digits))
        return Opened(
            accounts: accounts, links: links, idempotencyKeys: idempotencyKeys,
            providerKey: Self.key(Self.providerPurpose, digits), webhookKey: Self.key(Self.webhookPurpose, digits),
            copyKey: Self.key(Self.copyPurpose, digits),
            notificationKey: Self.key(Self.notificationPurpose, digits))
    }

    private static func key(_ purpose: String, _ digits: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(digits.utf8)), info: Array(purpose.utf8),
            outputByteCount: keyByteCount)
    }
}

extension AccountsSettings {
    /// What follows from the server's own settings.
    mutating func use(_ configuration: ServerConfiguration) {
        // Browsers use passkeys with HTTPS only, and on the machine itself.
        let address = configuration.publicAddress
        confirmsEmail = configuration.mail != nil
        relyingParty = address.map { RelyingParty(id: $0.host, name: issuer, origins: [$0.origin]) }
    }
}
