package import APIContract

/// The fields of a job: work on one file of the library.
package struct JobFields: ObjectFields {
    package static let name = "Job"
    package static let fields = JobFields()

    package let id = Field<String>("id", "identifier of the job: its number", .example("12"))
    package let kind = Field<String>(
        "kind", "kind: title, track, poster, cover, storyboard, import, ladder; later versions may add more",
        .example("title"))
    package let file = Field<String>("file", "path of the file in the media folder", .example("film.mp4"))
    package let state = Field<String>(
        "state", "progress of the job; ready, failed and cancelled are ends",
        .oneOf("queued", "downloading", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"))
    package let phase = Field<String?>(
        "phase", "current activity, if it is more specific than the state; null otherwise", .optional)
    package let progress = Field<Double?>(
        "progress", "progress from 0 to 1; null if it is not known", .optional, .minimum(0), .maximum(1))
    package let error = Field<String?>("error", "reason of the failure; null if the job has not failed", .optional)
    package let message = Field<String?>(
        "message", "remark that is not an error, such as the reason for a conversion; null for none", .optional)
    package let attempt = Field<Int>("attempt", "number of attempts so far", .optional)
    package let priority = Field<Int>("priority", "priority of the job; those with a higher one go first", .optional)
    package let url = Field<String?>(
        "url", "URL of an import, without its query; null for other jobs, and for files of the server's machine",
        .optional, .example("https://example.org/film.mp4"))
    package let byteCount = Field<Int?>(
        "byteCount", "size of an import in bytes; null until it is known, and for other jobs", .optional)
    package let createdAt = Field<APITime>("createdAt", "time of creation", .optional)
    package let startedAt = Field<APITime?>(
        "startedAt", "start of the current or last attempt; null while the job is queued", .optional)
    package let endedAt = Field<APITime?>("endedAt", "time of the end; null while the job waits or runs", .optional)
    package let resource = Field<String?>(
        "resource", "path of the title or track in the API; null while there is none", .example("/api/v1/titles/film"))

    package init() {}
}
