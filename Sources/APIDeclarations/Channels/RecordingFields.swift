package import APIContract
import JSONDocument

/// The fields of a channel's recording: the one that runs, or else the last one.
package struct RecordingFields: ObjectFields {
    package static let name = "Recording"
    package static let fields = RecordingFields()

    package let state = Field<String>(
        "state", "state: idle without a recording, recording, or failed because of an error",
        .oneOf("idle", "recording", "failed"))
    package let since = Field<APITime>(
        "since", "start of this recording, or of the last one; absent if there was none", .optional)
    package let bytes = Field<Int>("bytes", "size of the recording in bytes", .example(.integer(1_200_000)))
    package let duration = Field<Double>("duration", "duration of the recording in seconds")
    package let file = Field<String>(
        "file", "path in the media folder of the title that the recording becomes; absent until something is written",
        .optional, .example("recordings/canalA/canalA_2026-11-21_17-20-00.mp4"))
    package let reason = Field<String>(
        "reason", "reason why the recording ended by itself; absent otherwise", .optional)

    package init() {}
}
