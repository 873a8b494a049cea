// Emoji by groups, for a field. The names of the groups come from the page.

const groups = {
  faces: '😀 😃 😄 😁 😆 😅 😂 🤣 😊 🙂 😉 😍 😘 😜 🤔 😐 😴 😎 🥳 😢 😭 😡 😱 🤯',
  people: '👍 👎 👏 🙌 🙏 💪 👋 🤝 ✌️ 🤞 👌 👀 🧑 👩 👨 👶 👪 💃 🕺 🏃',
  animals: '🐶 🐱 🐭 🐰 🦊 🐻 🐼 🐯 🦁 🐮 🐷 🐸 🐵 🐔 🐧 🐦 🦋 🐟 🐬 🌳 🌸 🌞 🌙 ⭐',
  food: '🍎 🍌 🍓 🍇 🍉 🥑 🍅 🥕 🍞 🧀 🍕 🍔 🍟 🥘 🍣 🍦 🍰 🍫 ☕ 🍵 🍺 🍷',
  activities: '⚽ 🏀 🏈 🎾 🏐 🏓 🏸 🥊 🚴 🏊 🏆 🥇 🎮 🎲 🎸 🎤 🎬 📺 🎧 🎉',
  travel: '🚗 🚌 🚂 ✈️ 🚀 🚲 🛵 ⛵ 🏠 🏖️ 🏔️ 🗺️ 🌍 ⏰ 📍 🧭',
  symbols: '❤️ 🧡 💛 💚 💙 💜 💔 💯 ✅ ❌ ❓ ❗ 🔥 ✨ 🎵 💤 ➕ ♻️',
};

/**
 * Fills a menu with emoji.
 * @param menu the `details` element, which stays hidden without this.
 * @param names the names of the groups.
 * @param choose called with the emoji that somebody has chosen.
 */
export const emojiMenu = (menu, names, choose, signal) => {
  const place = menu.querySelector('div');
  const build = () => {
    if (place.childElementCount > 0) return;
    Object.entries(groups).forEach(([group, emoji]) => {
      const part = document.createElement('fieldset');
      part.append(Object.assign(document.createElement('legend'), { textContent: names[group] ?? group }));
      emoji.split(' ').forEach((one) => part.append(Object.assign(document.createElement('button'), { type: 'button', textContent: one })));
      place.append(part);
    });
  };
  menu.hidden = false;
  menu.addEventListener('toggle', build, { signal });
  place.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button) choose(button.textContent);
  }, { signal });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  }, { signal });
};
