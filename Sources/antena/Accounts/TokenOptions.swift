import APIClient
import APIContract
import APIDeclarations
import ArgumentParser

/// The options of a new token.
struct TokenOptions: ParsableArguments {
    @Argument(help: "The token's name.")
    var name: String

    @Option(
        help: ArgumentHelp("A permission; may be repeated. (default: all of the owner's)", valueName: "permission"))
    var permission: [String] = []

    @Option(help: ArgumentHelp("A channel that the token is limited to; may be repeated.", valueName: "channel"))
    var channel: [String] = []

    @Option(help: "Days until it expires. (default: never)")
    var days: Int?

    @Flag(help: "Create an app password, for a program that supports only a username and a password.")
    var appPassword = false

    /// Makes the token. If the server asks for the password of the account of the session, it is read.
    ///
    /// - Parameter user: its owner; `nil` for the account of the session.
    func create(for user: String?, _ client: ServerClient) async throws -> APIObject<TokenFields> {
        func create(password: String? = nil) async throws -> APIObject<TokenFields> {
            try await client.createToken(
                name, for: user, kind: appPassword ? "appPassword" : "apiToken",
                permissions: permission.isEmpty ? nil : permission, channels: channel.isEmpty ? nil : channel,
                days: days, password: password)
        }
        do {
            return try await create()
        } catch let error as ServerClientError where error.problem == .passwordNeeded {
            return try await create(password: try PasswordInput.read())
        }
    }
}
