package import Crypto
package import Database
package import MediaCore
import Synchronization

/// Accounts and what they may do: the only place of the program that knows who somebody is.
///
/// Requests come with a ``Caller``. Calls that change something of others check the caller's permission themselves, so
/// that an edge of the program cannot forget to. Calls throw `Refusal` with a sentence for the person who
/// asked, and `SQLError` if the database does not answer.
///
/// Several servers can share a database: what one has changed holds for the others within a second. Only
/// ``AccountsLimits`` are each server's own.
package final class Accounts: Sendable {
    let database: any SQLDatabase
    let hasher: PasswordHasher
    /// Encrypts what has to be decrypted again; the same on all servers with one database.
    let sealingKey: SymmetricKey
    let wallClock: WallClock
    let uptime: @Sendable () -> Duration
    let cache = PrincipalCache()
    /// The limits of attempts on this server.
    package let limits: AccountsLimits
    /// The log-ins on this server.
    package let logIns = LogInStatistics()
    private let currentSettings: Mutex<AccountsSettings>
    private let currentAudiences = Mutex(AudienceRules())
    private let itemReader = Mutex<ItemAudienceReader?>(nil)
    private let removalSteps = Mutex<[RemovalStep]>([])
    private let credentialSteps = Mutex<[RemovalStep]>([])
    /// See ``isEverythingPublic``, which every request for media asks.
    private let everythingIsPublic: Atomic<Bool>

    private init(
        _ database: any SQLDatabase, _ hasher: PasswordHasher, _ settings: AccountsSettings, _ sealingKey: SymmetricKey,
        _ wallClock: WallClock, _ uptime: @escaping @Sendable () -> Duration
    ) {
        (self.database, self.hasher, self.sealingKey) = (database, hasher, sealingKey)
        (self.wallClock, self.uptime) = (wallClock, uptime)
        limits = AccountsLimits(uptime: uptime)
        currentSettings = Mutex(settings)
        everythingIsPublic = Atomic(settings.isOpenToStrangers)
        limits.setRequestCount(settings.apiRequestCount)
    }

    /// Migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - database: an open database. Accounts do not close it.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - hasher: computes password hashes.
    ///   - settings: what the operator has decided.
    ///   - sealingKey: 256 bits that are not in the database, such as derived from a file of the data folder. If it
    ///     changes, second factors have to be set up again.
    ///   - wallClock: tells the time of expiries and of the audit log.
    ///   - uptime: the time since some start, for limits and caches.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, hasher: PasswordHasher, settings: AccountsSettings,
        sealingKey: SymmetricKey, wallClock: WallClock = .system,
        uptime: @escaping @Sendable () -> Duration = ContinuousClock().elapsed()
    ) async throws -> Accounts {
        try await SQLMigrator(AccountsSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return Accounts(database, hasher, settings, sealingKey, wallClock, uptime)
    }

    /// The operator's settings; a change takes effect with the next request.
    package var settings: AccountsSettings {
        get { currentSettings.withLock { $0 } }
        set {
            currentSettings.withLock { $0 = newValue }
            limits.setRequestCount(newValue.apiRequestCount)
            noteWhetherEverythingIsPublic()
        }
    }

    /// A step of other domains in the transaction that deletes an account, before it is deleted.
    package typealias RemovalStep = @Sendable (_ user: UserID, _ db: any SQLConnection) throws -> Void

    /// Adds something to do before an account is deleted. An error keeps the account.
    package func beforeRemoval(_ step: @escaping RemovalStep) { removalSteps.withLock { $0.append(step) } }

    /// Forgets the steps of others, which may hold these accounts.
    package func forgetSteps() {
        removalSteps.withLock { $0 = [] }
        credentialSteps.withLock { $0 = [] }
    }

    /// Does what others have to do before an account is deleted.
    func prepareRemoval(_ user: UserID, _ db: any SQLConnection) throws {
        for step in removalSteps.withLock({ $0 }) { try step(user, db) }
    }

    /// Adds something to do when all credentials of an account end, such as its devices, in the same transaction. An
    /// error keeps them.
    package func whenCredentialsEnd(_ step: @escaping RemovalStep) { credentialSteps.withLock { $0.append(step) } }

    /// Ends everything with which somebody could use an account without its password: sessions, tokens, app passwords,
    /// and what others keep. Passkeys, providers and the second factor stay: adding one needs the password.
    func endCredentials(of user: UserID, _ db: any SQLConnection) throws {
        try SessionRows.deleteAll(of: user, db)
        try TokenRows.deleteAll(of: user, db)
        for step in credentialSteps.withLock({ $0 }) { try step(user, db) }
    }

    /// The rules for audiences; a change takes effect with the next request. What is set here leaves the audiences of
    /// single titles and tracks alone.
    package var audiences: AudienceRules {
        get { currentAudiences.withLock { $0 } }
        set {
            currentAudiences.withLock { audiences in
                let items = audiences.items
                audiences = newValue
                audiences.items = items
            }
            noteWhetherEverythingIsPublic()
        }
    }

    /// Replaces the audiences of single titles and tracks, which are kept elsewhere.
    package func setItemAudiences(_ items: ItemAudiences) {
        currentAudiences.withLock { $0.items = items }
        noteWhetherEverythingIsPublic()
    }

    /// Reads the audience of a single title in a transaction; `nil` if it has none of its own.
    package typealias ItemAudienceReader =
        @Sendable (_ titleID: String, _ db: any SQLConnection) throws -> ItemAudience?

    /// Sets how the audience of a single title is read in a transaction.
    package func setItemAudienceReader(_ reader: @escaping ItemAudienceReader) {
        itemReader.withLock { $0 = reader }
    }

    /// A title with its audience as the database has it. ``audiences`` may be half a second older, which is not enough
    /// for a decision that is made once and written down.
    ///
    /// - Throws: `SQLError`
    package func title(id: String, _ db: any SQLConnection) throws -> Resource {
        var rules = audiences
        guard let reader = itemReader.withLock({ $0 }) else { return rules.title(id: id) }
        rules.items = ItemAudiences()
        rules.items.titles[id] = try reader(id, db)
        return rules.title(id: id)
    }

    /// The IDs of accounts by their usernames, for something that is opened to single accounts.
    ///
    /// - Throws: `Refusal` with `notFound` and the first name that there is not.
    package static func userIDs(named names: [String], _ db: any SQLConnection) throws -> [UserID] {
        try names.map { name in
            guard let logInName = try? LogInName(name), let account = try AccountRows.account(logInName, db) else {
                throw Refusal(.notFound, "there is no account \(Refusal.quoted(name))", fields: ["invited"])
            }
            return account.id
        }
    }

    /// The usernames of accounts, in their order; accounts that were deleted are left out.
    package static func usernames(of ids: Set<UserID>, _ db: any SQLConnection) throws -> [String] {
        try ids.compactMap { id in try db.firstValue("SELECT username FROM account WHERE id = ?1", .text(id.text)) }
            .sorted()
    }

    /// Whether strangers may watch everything.
    package var isEverythingPublic: Bool { everythingIsPublic.load(ordering: .relaxed) }

    private func noteWhetherEverythingIsPublic() {
        everythingIsPublic.store(settings.isOpenToStrangers && audiences.areOpen, ordering: .relaxed)
    }

    var passwordRules: PasswordRules { PasswordRules(minimumCharacterCount: settings.minimumPasswordCharacterCount) }

    /// The time by which expiries are judged.
    package var now: WallClockTime { wallClock.now() }

    // MARK: Permission

    /// The rules as they are now, for many questions in a row.
    package var permissions: Permissions { Permissions(isOpenToStrangers: settings.isOpenToStrangers) }

    /// Decides whether somebody may do something; see ``Permissions/may(_:_:_:)``.
    package func may(_ principal: Principal, _ action: Action, _ resource: Resource) -> Decision {
        permissions.may(principal, action, resource)
    }

    /// - Throws: `Refusal` with `loginNeeded` or `forbidden` if somebody may not do something.
    package func require(_ principal: Principal, _ action: Action, _ resource: Resource) throws(Refusal) {
        switch may(principal, action, resource) {
        case .allowed: return
        case .loginNeeded: throw Refusal(.loginNeeded, "log in first")
        case .concealed: throw Refusal(.notFound, "there is no such \(resource.kind.rawValue)")
        case .forbidden:
            throw Refusal(
                .forbidden, "your account may not do this (\(action.rawValue), \(resource.kind.rawValue))")
        }
    }

    /// The account and session of somebody who has logged in. Programs with a token cannot change how their owner logs
    /// in.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `forbidden`.
    func ownSession(_ caller: Caller) throws(Refusal) -> (member: Member, session: OpaqueID) {
        switch caller.principal {
        case .session(let member, let session): return (member, session)
        case .anonymous: throw Refusal(.loginNeeded, "log in first")
        case .apiToken, .appPassword, .machine:
            throw Refusal(.forbidden, "this needs a logged-in user, not a token")
        }
    }
}
