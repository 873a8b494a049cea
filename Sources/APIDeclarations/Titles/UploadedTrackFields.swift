package import APIContract

/// The fields of a track whose file was just uploaded.
package struct UploadedTrackFields: ObjectFields {
    package static let name = "UploadedTrack"
    package static let base: (any ObjectFields.Type)? = TrackFields.self
    package static let fields = UploadedTrackFields()

    package let job = Field<APIObject<JobFields>?>("job", "running or queued job of the track; null if there is none")

    package init() {}
}
