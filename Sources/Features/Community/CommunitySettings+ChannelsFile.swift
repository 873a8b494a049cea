import Community
import JSONDocument

extension CommunitySettings {
    /// Reads the section `community` of a `channels.json` that has passed all checks; missing fields keep their
    /// defaults.
    init(_ section: JSONNode?) {
        self.init()
        if let count = section?["reportThreshold"]?.integer { reportThreshold = Int(count) }
        if let stay = section?["commentsStay"]?.boolean { commentsStay = stay }
        if let quota = section?["uploadQuota"]?.integer { uploadQuota = Int64(quota) }
        if let weighs = section?["weighsReports"]?.boolean { weighsReports = weighs }
        banners = (section?["banners"]?.elements ?? []).compactMap { banner in
            guard let place = banner["place"]?.string.flatMap(CommunityBanner.Place.init(rawValue:)),
                let image = banner["image"]?.string, let link = banner["link"]?.string,
                let text = banner["text"]?.string
            else { return nil }
            return CommunityBanner(place: place, image: image, link: link, text: text)
        }
        if let words = section?["heldWords"]?.elements { heldWords = HeldWords(words.compactMap(\.string)) }
    }
}
