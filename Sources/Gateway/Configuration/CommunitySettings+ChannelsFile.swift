import Community
import JSONDocument

extension CommunitySettings {
    /// Reads the section `community` of a `channels.json` that has passed all checks; missing fields keep their defaults.
    init(_ section: JSONNode?) {
        self.init()
        if let count = section?["reportThreshold"]?.integer { reportThreshold = Int(count) }
        if let stay = section?["commentsStay"]?.boolean { commentsStay = stay }
        if let quota = section?["uploadQuota"]?.integer { uploadQuota = Int64(quota) }
        if let weighs = section?["weighsReports"]?.boolean { weighsReports = weighs }
        if let words = section?["heldWords"]?.elements { heldWords = HeldWords(words.compactMap(\.string)) }
    }
}
