package import APIContract

/// The fields of a relay: the source that a channel is fetched from, or one of its copies.
package struct RelayFields: ObjectFields {
    package static let name = "Relay"
    package static let fields = RelayFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("ADDRESS", fields.address), TableColumn("STATE", fields.state),
        TableColumn("SINCE", fields.since), TableColumn("REASON", fields.reason),
    ]

    package let id = Field<String>(
        "id", "source, or restream- and the position in the configuration", .example("restream-1"))
    package let address = Field<String>(
        "address", "address without login, query and key", .example("rtmp://live.example.org:1935/app/…"))
    package let state = Field<String>(
        "state",
        "stopped by an operator; waiting while nobody watches, another publisher has the channel, or there is nothing to copy; connecting; running; failing between two attempts",
        .oneOf("stopped", "waiting", "connecting", "running", "failing"))
    package let since = Field<APITime>("since", "time since which it is so")
    package let reason = Field<String>("reason", "reason of the last failure; absent if there was none", .optional)
    package let attempts = Field<Int>("attempts", "connections since the server has started")
    package let bytes = Field<Int>("bytes", "bytes of the current connection")
    package let droppedFrames = Field<Int>(
        "droppedFrames", "frames of the current connection for which the other side was too slow")

    package init() {}
}
