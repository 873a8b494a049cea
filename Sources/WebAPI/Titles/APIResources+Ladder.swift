import HTTPTypes
import JSONDocument
import Transcoding
import VODLibrary

extension APIResources {
    static func ladder(_ status: LadderStatus) -> JSONText {
        .object([
            ("id", .string(status.titleID)), ("state", .string(status.state.rawValue)),
            ("job", .optional(status.job.map { "\($0)" })),
            ("progress", .optional(status.progress)), ("error", .optional(status.error)),
            ("encoder", .optional(status.encoder)),
            (
                "rungs",
                .array(
                    status.rungs.map { rung in
                        .object([
                            ("preset", .string(rung.name)), ("width", .integer(rung.width)),
                            ("height", .integer(rung.height)), ("frameRate", .number(rung.frameRate)),
                            ("videoBitrate", .integer(rung.bitRate)),
                        ])
                    })
            ),
            (
                "omitted",
                .array(
                    status.omitted.map { omitted in
                        .object([("preset", .string(omitted.preset)), ("reason", .string(omitted.reason))])
                    })
            ),
        ])
    }
}
