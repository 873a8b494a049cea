package import APIContract

/// The fields of a request that starts or stops a channel's recording.
package struct RecordingChangeFields: ObjectFields {
    package static let name = "RecordingChange"
    package static let fields = RecordingChangeFields()

    package let action = Field<String>("action", "start or stop of the recording", .oneOf("start", "stop"))

    package init() {}
}
