const view = new View(JSON.parse(document.getElementById("data").textContent));
view.start();
