/// Departures of servers from RFC 2326, and what a reader does about each. A departure is found out by what the server
/// does, or known beforehand by its name.
struct RTSPServerPolicy: OptionSet, Sendable, Hashable {
    let rawValue: Int

    /// GET_PARAMETER is listed and then refused or not answered, so OPTIONS keeps the session alive.
    ///
    /// - Hipcam cameras (`Server: Hipcam RealServer/V1.0`) do not answer it.
    /// - Cameras with the firmware thingino (Xiaomi MJSXJ03HL, 2024) answer 454.
    /// - TP-Link's Tapo C220 and C520WS answer some keep-alive requests with 400 and the sequence number of the request
    ///   before, which is as good as no answer.
    static let isKeptAliveByOptions = RTSPServerPolicy(rawValue: 1 << 0)

    /// Beginnings of the `Server` header, in lower case.
    private static let known: [(prefix: String, policy: RTSPServerPolicy)] = [("hipcam", .isKeptAliveByOptions)]

    /// - Parameter server: the `Server` header of a response.
    static func known(_ server: String) -> RTSPServerPolicy {
        let name = server.prefix(64).lowercased()
        return known.reduce(into: []) { if name.hasPrefix($1.prefix) { $0.formUnion($1.policy) } }
    }
}
