package import APIContract

/// The fields of a file in the media folder that was passed over.
package struct MisplacedFileFields: ObjectFields {
    package static let name = "MisplacedFile"
    package static let fields = MisplacedFileFields()

    package let file = Field<String>(
        "file", "path of the file in the media folder; U+FFFD stands for bytes that are not UTF-8",
        .example("vod/song.mp3"))
    package let reason = Field<String>(
        "reason",
        "wrongFolder: move it to belongsTo; unknownKind: Antena does not read files with this extension; nameNotUTF8: rename it in UTF-8; nameTooLong: shorten its path; tooDeep: a folder that was not searched; notAFile: a pipe, socket or device",
        .oneOf("wrongFolder", "unknownKind", "nameNotUTF8", "nameTooLong", "tooDeep", "notAFile"))
    package let belongsTo = Field<String?>(
        "belongsTo", "folder to move the file to; null unless reason is wrongFolder", .oneOf("vod", "audio"))

    package init() {}
}
