import APIContract
import APIDeclarations

/// The fields of the bodies that say what a video is about.
protocol VideoContentsFields: ObjectFields {
    var name: Field<String> { get }
    var text: Field<String?> { get }
    var tags: Field<[String]?> { get }
    var competition: Field<String?> { get }
    var day: Field<Int?> { get }
    var latitude: Field<Double?> { get }
    var longitude: Field<Double?> { get }
    var visibility: Field<String> { get }
    var commentPolicy: Field<String> { get }
}

extension NewVideoFields: VideoContentsFields {}
extension SentVideoChangeFields: VideoContentsFields {}
extension VideoChangeFields: VideoContentsFields {}
