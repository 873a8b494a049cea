package import APIContract

/// The fields of advice for an encoder whose key frames are too far apart.
package struct KeyFrameAdviceFields: ObjectFields {
    package static let name = "KeyFrameAdvice"
    package static let meaning: String? = "advice about key frames; absent unless segments have to be cut without one"
    package static let fields = KeyFrameAdviceFields()

    package let keyFrameDistance = Field<Double>(
        "keyFrameDistance", "seconds between the newest two key frames; absent before the second one", .optional)
    package let advice = Field<String>("advice", "recommended encoder settings")

    package init() {}
}
