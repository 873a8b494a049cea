import StreamRelays

/// The paths of the operator's pages, and the names of their actions.
enum OperatorPath {
    static let dashboard = "/operator"
    static let events = "/operator/estado"
    static let log = "/operator/registro"
    static let logEvents = "/operator/registro/nuevo"
    static let settings = "/operator/ajustes"
    static let reload = "/operator/recargar"
    static let newChannel = "/operator/canal-nuevo"
    static let components = "/operator/components"
    private static let channels = "/operator/canal/"
    private static let jobs = "/operator/trabajo/"
    static let channelTemplate = channels + "{name}"
    static let relayTemplate = channelTemplate + "/{id}"
    static let jobTemplate = jobs + "{number}"

    static func channel(_ name: String) -> String { channels + SitePage.queryComponent(name) }
    static func relay(_ identifier: RelayIdentifier) -> String { "\(channel(identifier.channel))/\(identifier)" }
    static func job(_ number: Int64) -> String { "\(jobs)\(number)" }

    static let disconnect = "disconnect"
    static let record = "record"
    static let stopRecording = "stop"
    static let clip = "clip"
    static let startRelay = "start"
    static let stopRelay = "stop"
    static let cancel = "cancel"
    static let retry = "retry"
    static let first = "first"
}
