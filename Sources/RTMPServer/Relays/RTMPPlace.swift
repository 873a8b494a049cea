import ChannelPublishing

/// The application and the name of a stream in an address such as `rtmp://host/app/key?token=…`.
struct RTMPPlace: Sendable, Hashable {
    let application: String
    let name: String
    /// The address without the name.
    let address: String

    /// A login in the address is put behind the name, where Antena, MediaMTX and most services look for it.
    init(_ address: RelayAddress) {
        let parts = address.path.split(separator: "?", maxSplits: 1)
        let folders = (parts.first ?? "").split(separator: "/")
        application = folders.dropLast().joined(separator: "/")
        var query = parts.count > 1 ? String(parts[1]) : ""
        if let username = address.username, let password = address.password {
            query += "\(query.isEmpty ? "" : "&")user=\(username)&pass=\(password)"
        }
        name = (folders.last.map { String($0) } ?? "") + (query.isEmpty ? "" : "?\(query)")
        self.address = "\(address.scheme.rawValue)://\(address.endpoint)/\(application)"
    }
}
