import HTTPEndpoints
import JSONDocument
import SiteTexts

/// The texts of the form for what people read about a channel.
struct ChannelText: SiteTextSection {
    static let section = "channels"

    let publishLinks, publishLinksText, newLink, linkName, linkHours, linkEnds, linkIsOver, linkUsedBy,
        newLinkText, newLinkEncoders, newLinkBrowser: String
    let heading, introduction, title, description, artist, album, website, cover, save, saved, back: String
    let image, imageText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge, imageNotStored: String
    let titleRefusal, descriptionRefusal, lineRefusal, websiteRefusal, coverRefusal, coverNotAllowed: String
    let changedMeanwhile, fileHasMistakes, notPossible, fileNotWritable, busy: String
    let language: SiteLanguage

    /// The mistakes in the file of the channels. Their places are the same in every language; their explanations are
    /// English.
    func mistake(_ error: JSONFileError) -> String {
        guard let issue = error.issues.first else { return fileHasMistakes }
        return "\(fileHasMistakes) \(language == .english ? issue.description : issue.field)"
    }
}
