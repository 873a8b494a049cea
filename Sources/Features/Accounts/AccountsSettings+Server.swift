import Accounts
import HTTPEndpoints
import ServerSettings

extension AccountsSettings {
    /// Takes over the server's own settings.
    mutating func use(_ configuration: ServerConfiguration) {
        // Browsers use passkeys with HTTPS only, and on the machine itself.
        let address = configuration.publicAddress
        confirmsEmail = configuration.mail != nil
        relyingParty = address.map { RelyingParty(id: $0.host, name: issuer, origins: [$0.origin]) }
    }
}
