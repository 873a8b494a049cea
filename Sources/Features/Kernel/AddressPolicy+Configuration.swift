package import HTTPClients
package import ServerSettings

extension AddressPolicy {
    /// The addresses that the server connects to for others.
    package init(_ configuration: ServerConfiguration) {
        self = configuration.allowsPrivateImports ? .anyAddress : .publicAddressesOnly
    }
}
